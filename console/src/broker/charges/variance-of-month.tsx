import { Box } from '@mantine/core'
import { useOperation } from '../../api/use-operation.ts'
import { TextLink } from '../../components/link.tsx'
import { VarianceTable } from '../../entities/forecasts/variance-table.tsx'

/** What became of the forecast of a month, which was stored. */
export function VarianceOfMonth({ contractId, month }: { readonly contractId: string; readonly month: string }) {
  const query = { 'reference-month': month }
  const variance = useOperation('readForecast', { path: [contractId], query }).data?.result.variance ?? null
  if (variance === null) return null
  return (
    <Box mb="lg">
      <VarianceTable
        variance={variance}
        people={(search, words) => (
          <TextLink to="/charges/$contractId/$month" params={{ contractId, month }} search={search}>
            {words}
          </TextLink>
        )}
      />
    </Box>
  )
}
