export const costs = {
  title: 'Costs and differences',
  company: 'Company',
  contract: 'Contract',
  anyContract: 'Every contract',
  range: 'Months shown',
  months_one: '{{count}} month',
  months_other: '{{count}} months',
  month: 'Month',
  table: 'The months as a table',
  charts: {
    lives: 'Lives',
    cost: 'Cost',
    differences: 'Differences',
  },
  meanings: {
    lives: 'Benefits that cover the last day of the month.',
    cost: 'What the invoices charge, and what was expected, in reais.',
    differences:
      'What the invoices charge too much, what of it was claimed, and what later invoices credited, in reais.',
  },
  series: {
    'covered-lives': 'Lives',
    'carrier-total': 'Charged',
    'expected-total': 'Expected',
    'overcharged-total': 'Too much',
    'claimed-total': 'Claimed',
    'credited-total': 'Recovered',
  },
} as const
