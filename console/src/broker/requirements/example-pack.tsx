import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { operationQuery } from '../../api/use-operation.ts'
import { ErrorMessage } from '../../components/error-message.tsx'
import { notifyDone } from '../../components/notify.ts'
import { QueryView } from '../../components/state-view.tsx'
import { DateValue, Value } from '../../components/value.tsx'
import { allRules } from './all-rules.ts'
import { isSameCarrier, type RuleBody } from './rule.ts'
import { Dialog, DialogButton } from '../../components/dialog.tsx'

interface Example extends RuleBody {
  readonly 'rule-id': string
}

const carriersOf = ({ when }: Example) => when?.['carrier-names'] ?? []

/** Loads the examples of rules, which are off. */
export function ExamplePack() {
  const { t } = useTranslation('requirements')
  return (
    <DialogButton variant="default" dialog={(close) => <ExampleDialog onClose={close} />}>
      {t('examples')}
    </DialogButton>
  )
}

function ExampleDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['requirements', 'states'])
  const queryClient = useQueryClient()
  const pack = useQuery({
    queryKey: ['requirement-examples'],
    // Rules may have been loaded or deleted meanwhile.
    gcTime: 0,
    queryFn: async () => {
      const [{ default: file }, rules, { result: carriers }] = await Promise.all([
        import('../../../../examples/requirements-pt-BR.json'),
        queryClient.fetchQuery(allRules),
        queryClient.fetchQuery(operationQuery('listCarriers')),
      ])
      const examples = file.rules as unknown as readonly Example[]
      const isKnown = (name: string) => carriers.some((carrier) => isSameCarrier(carrier.name, name))
      const isNew = (example: Example) => !rules.some((rule) => rule['rule-id'] === example['rule-id'])
      return {
        dated: file.dated,
        fresh: examples.filter((example) => isNew(example) && carriersOf(example).every(isKnown)),
        unknown: [...new Set(examples.flatMap(carriersOf))].filter((name) => !isKnown(name)),
      }
    },
  })
  const load = useMutation({
    mutationFn: async (examples: readonly Example[]) => {
      for (const { 'rule-id': id, ...body } of examples) await api.requirementRules.put(id, body)
      return examples.length
    },
    onSuccess: (count) => {
      notifyDone(t('requirements:examplesLoaded', { count }))
      onClose()
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['listRequirementRules'] }),
  })
  return (
    <Dialog onClose={onClose} title={t('requirements:examplesTitle')}>
      <QueryView query={pack}>
        {({ dated, fresh, unknown }) => (
          <Stack>
            <Text size="sm">
              {t('requirements:examplesDated')} <DateValue value={dated} />. {t('requirements:examplesText')}
            </Text>
            {unknown.length > 0 && (
              <Alert color="gray">
                {t('requirements:examplesUnknown')} <Value>{unknown.join(', ')}</Value>.
              </Alert>
            )}
            {load.error !== null && <ErrorMessage error={load.error} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {t('states:cancel')}
              </Button>
              <Button disabled={fresh.length === 0} loading={load.isPending} onClick={() => load.mutate(fresh)}>
                {fresh.length === 0
                  ? t('requirements:examplesNone')
                  : t('requirements:examplesLoad', { count: fresh.length })}
              </Button>
            </Group>
          </Stack>
        )}
      </QueryView>
    </Dialog>
  )
}
