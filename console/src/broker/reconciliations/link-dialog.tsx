import { Checkbox, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MIN_SEARCH_CHARACTERS } from '../../../../src/kernel/search.ts'
import { api } from '../../api/client.ts'
import { useOperation } from '../../api/use-operation.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { Choice } from '../../components/choice.tsx'
import { Value } from '../../components/value.tsx'
import type { CarrierFile, CarrierLine } from '../../entities/reconciliations/reconciliation.ts'

const delayMilliseconds = 400

/** Links a line to a benefit, or says that it names no member. */
export function LinkDialog(props: {
  readonly file: CarrierFile
  readonly line: CarrierLine
  readonly onClose: () => void
}) {
  const { file, line, onClose } = props
  const { t } = useTranslation('reconciliations')
  const [typed, setTyped] = useState(line.name ?? '')
  const [text] = useDebouncedValue(typed.trim(), delayMilliseconds)
  const [chosen, setChosen] = useState<string>()
  const [isNobody, setNobody] = useState(false)
  const found = useOperation(
    'findCarrierFileBenefits',
    { path: [file['file-id']], query: { q: text } },
    { enabled: text.length >= MIN_SEARCH_CHARACTERS && !isNobody },
  )
  const benefits = found.data?.result ?? []
  const benefit = benefits.find((one) => one['benefit-id'] === chosen) ?? benefits[0]
  return (
    <ActDialog
      title={t('linkTitle')}
      action={t('link')}
      isDisabled={!isNobody && benefit === undefined}
      act={() =>
        api.carrierFiles.link(file['file-id'], String(line['line-number']), {
          'benefit-id': isNobody ? null : (benefit?.['benefit-id'] ?? null),
        })
      }
      done={t('linked')}
      onClose={onClose}
    >
      <Text size="sm">
        <Value>{[line.name, line['card-number'], line['plan-code']].filter(Boolean).join(' · ')}</Value>
      </Text>
      <Checkbox
        label={t('ofNobody')}
        checked={isNobody}
        onChange={({ currentTarget: { checked } }) => setNobody(checked)}
      />
      {!isNobody && (
        <>
          <TextInput
            label={t('findPerson')}
            description={t('findPersonText')}
            size="sm"
            autoComplete="off"
            value={typed}
            error={found.isSuccess && benefits.length === 0 ? t('nobodyFound') : undefined}
            onChange={({ currentTarget: { value } }) => setTyped(value)}
          />
          <Choice
            label={t('benefit')}
            isData
            disabled={benefits.length === 0}
            value={benefit?.['benefit-id']}
            onChange={setChosen}
            data={benefits.map((one) => ({
              value: one['benefit-id'],
              label: [one['member-name'], one['product-name'], one['card-number']].filter(Boolean).join(' · '),
            }))}
          />
        </>
      )}
    </ActDialog>
  )
}
