import { Checkbox, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import type { Result } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AUTOMATIC_CLASSES, type AutomaticClass } from '../../../../src/kernel/roster-syncs.ts'
import { api } from '../../api/client.ts'
import { useOperation } from '../../api/use-operation.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { DialogButton } from '../../components/dialog.tsx'
import { FactList, fact } from '../../components/fact-list.tsx'
import { SectionTitle } from '../../components/section-title.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { formatNumber } from '../../format/number.ts'
import { usePermission } from '../../session/use-permission.ts'

type Policy = Result<'readAnyRosterPolicy'>

const bounds = {
  'guard-people': { min: 1, max: 200_000 },
  'guard-percent': { min: 1, max: 100 },
  'min-presence-percent': { min: 0, max: 100 },
} as const
type Bound = keyof typeof bounds

/** What lists of people of a company may do by themselves. */
export function RosterPolicy({ taxId }: { readonly taxId: string }) {
  const { t } = useTranslation(['rosters', 'terms'])
  const policy = useOperation('readAnyRosterPolicy', { path: [taxId] })
  const mayWrite = usePermission('putRosterPolicy')
  return (
    <>
      <SectionTitle mt="lg">{t('rosters:policy.title')}</SectionTitle>
      <QueryView query={policy}>
        {({ result }) => (
          <Stack gap="xs" align="flex-start">
            <FactList
              facts={[
                fact(
                  t('rosters:policy.automatic'),
                  result.automatic.length === 0
                    ? t('rosters:policy.none')
                    : result.automatic.map((one) => t(`terms:draftClass.${one}`)).join(', '),
                ),
                fact(
                  t('rosters:policy.guard'),
                  t('rosters:policy.guardText', {
                    people: formatNumber(result['guard-people']),
                    percent: formatNumber(result['guard-percent']),
                  }),
                ),
                fact(
                  t('rosters:policy.presence'),
                  t('rosters:policy.presenceText', { percent: formatNumber(result['min-presence-percent']) }),
                ),
              ]}
            />
            {mayWrite && (
              <DialogButton
                variant="default"
                size="xs"
                dialog={(close) => <PolicyDialog taxId={taxId} policy={result} onClose={close} />}
              >
                {t('rosters:policy.edit')}
              </DialogButton>
            )}
          </Stack>
        )}
      </QueryView>
    </>
  )
}

function PolicyDialog(props: { readonly taxId: string; readonly policy: Policy; readonly onClose: () => void }) {
  const { t } = useTranslation(['rosters', 'terms'])
  const { taxId, policy, onClose } = props
  const [automatic, setAutomatic] = useState<readonly AutomaticClass[]>(policy.automatic)
  const [texts, setTexts] = useState<Readonly<Record<Bound, string>>>({
    'guard-people': String(policy['guard-people']),
    'guard-percent': String(policy['guard-percent']),
    'min-presence-percent': String(policy['min-presence-percent']),
  })
  const isWrong = (name: Bound) => {
    const text = texts[name].trim()
    return !/^\d+$/.test(text) || Number(text) < bounds[name].min || Number(text) > bounds[name].max
  }
  const field = (name: Bound, label: string, description: string) => (
    <TextInput
      label={label}
      description={description}
      required
      inputMode="numeric"
      autoComplete="off"
      value={texts[name]}
      error={
        isWrong(name)
          ? t('rosters:policy.wrong', { min: bounds[name].min, max: formatNumber(bounds[name].max) })
          : undefined
      }
      onChange={({ currentTarget: { value } }) => setTexts((former) => ({ ...former, [name]: value }))}
    />
  )
  return (
    <ActDialog
      title={t('rosters:policy.editTitle')}
      size="lg"
      action={t('rosters:policy.save')}
      isDisabled={(Object.keys(bounds) as Bound[]).some(isWrong)}
      act={() =>
        api.companies.putRosterPolicy(taxId, {
          automatic: [...automatic],
          'guard-people': Number(texts['guard-people']),
          'guard-percent': Number(texts['guard-percent']),
          'min-presence-percent': Number(texts['min-presence-percent']),
        })
      }
      done={t('rosters:policy.saved')}
      onClose={onClose}
    >
      <Text size="sm">{t('rosters:policy.help')}</Text>
      <Checkbox.Group
        label={t('rosters:policy.automatic')}
        description={t('rosters:policy.automaticHelp')}
        value={[...automatic]}
        onChange={(values) => setAutomatic(AUTOMATIC_CLASSES.filter((one) => values.includes(one)))}
      >
        <Stack gap={6} mt={6}>
          {AUTOMATIC_CLASSES.map((one) => (
            <Checkbox key={one} value={one} label={t(`terms:draftClass.${one}`)} />
          ))}
        </Stack>
      </Checkbox.Group>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {field('guard-people', t('rosters:policy.guardPeople'), t('rosters:policy.guardHelp'))}
        {field('guard-percent', t('rosters:policy.guardPercent'), t('rosters:policy.guardHelp'))}
        {field('min-presence-percent', t('rosters:policy.presencePercent'), t('rosters:policy.presenceHelp'))}
      </SimpleGrid>
    </ActDialog>
  )
}
