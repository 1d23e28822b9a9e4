import { operation } from './operation.ts'

/** `vigencia statistics`. */
export const statisticsCommand = operation({
  name: 'statistics',
  description: 'show the figures of the movements: per day, open ones by carrier and age, time to resolve (operator)',
  examples: { 'statistics --from 2026-11-01 --json': 'the days since then' },
  parameters: {
    '--from <date>': 'the first day; by default 30 days with the last',
    '--until <date>': 'the last day; by default today',
  },
  operation: { operator: 'readStatistics' },
  request: ({ from, until }) => ({ query: { 'from-dt': from, 'until-dt': until } }),
  isShown: true,
})
