import {
  Alert,
  Button,
  Code,
  CopyButton,
  Group,
  List,
  Loader,
  Paper,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Result } from '@vigencia/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { ErrorMessage } from '../../components/error-message.tsx'
import { Value } from '../../components/value.tsx'
import { formatNumber } from '../../format/number.ts'

type Verdict = Result<'verifyAuditChain'>
type Finding = Verdict['findings'][number]

/** It reads every row. */
const timeoutMilliseconds = 600_000
const headPattern = /^[0-9a-f]{64}$/i

/** The verification of the audit against its hash chain, with the head of an earlier one where an operator stored it. */
export function Verification() {
  const { t } = useTranslation('audit')
  const [expected, setExpected] = useState('')
  const head = expected.trim()
  const isInvalid = head !== '' && !headPattern.test(head)
  const verification = useMutation({
    mutationFn: () =>
      api.audit.verify({ timeout: timeoutMilliseconds, ...(head === '' ? {} : { 'expected-head': head }) }),
  })
  return (
    <Paper withBorder p="sm">
      <Title order={2} size="h5" mb={4}>
        {t('verification')}
      </Title>
      <Text size="sm" mb="xs">
        {t('verificationText')}
      </Text>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!isInvalid) verification.mutate()
        }}
      >
        <Group align="flex-start" gap="sm">
          <TextInput
            label={t('expectedHead')}
            description={t('expectedHeadText')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            autoComplete="off"
            spellCheck={false}
            flex="1 1 20rem"
            value={expected}
            error={isInvalid ? t('invalidHead') : undefined}
            onChange={({ currentTarget: { value } }) => setExpected(value)}
          />
          <Button type="submit" mt={25} loading={verification.isPending}>
            {t('verify')}
          </Button>
        </Group>
      </form>
      <div role="status">
        {verification.isPending && (
          <Group gap="xs" mt="sm">
            <Loader size="xs" aria-hidden />
            <Text size="sm">{t('verifying')}</Text>
          </Group>
        )}
        {verification.data !== undefined && !verification.isPending && <VerdictView verdict={verification.data} />}
      </div>
      {verification.error !== null && <ErrorMessage error={verification.error} />}
    </Paper>
  )
}

function VerdictView({ verdict }: { readonly verdict: Verdict }) {
  const { t } = useTranslation(['audit', 'states'])
  const { intact, rows, blocks, pending, head, findings } = verdict
  return (
    <Alert mt="sm" color={intact ? 'green' : 'red'} title={intact ? t('intact') : t('notIntact')}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {t('verified', { rows: formatNumber(rows), blocks: formatNumber(blocks), pending: formatNumber(pending) })}
        </Text>
        {findings.length > 0 && (
          <List size="sm">
            {findings.map((finding) => (
              <List.Item key={JSON.stringify(finding)}>
                <FindingText finding={finding} />
              </List.Item>
            ))}
          </List>
        )}
        {head !== null && (
          <div>
            <Text size="sm">{t('head')}</Text>
            <Group gap="xs">
              <Code translate="no" style={{ overflowWrap: 'anywhere' }}>
                {head}
              </Code>
              <CopyButton value={head}>
                {({ copied, copy }) => (
                  <Button size="compact-sm" variant="default" onClick={copy}>
                    {copied ? t('states:copied') : t('states:copy')}
                  </Button>
                )}
              </CopyButton>
            </Group>
          </div>
        )}
      </Stack>
    </Alert>
  )
}

function FindingText({ finding: { kind, row, block, until } }: { readonly finding: Finding }) {
  const { t } = useTranslation('audit')
  return (
    <>
      {t(`findings.${kind}`)} {block !== undefined && until !== undefined && t('inBlocks', { block, until })}
      {block !== undefined && until === undefined && t('inBlock', { block })}{' '}
      {row !== undefined && (
        <Link to="/audit" search={{ row }}>
          <Value>{row}</Value>
        </Link>
      )}
    </>
  )
}
