import { describe, expect, test } from 'vitest'
import { fileStatus, invoiceStatus, type Slip, unpaidDueDate, UNPAID_STATUSES } from '#money/rules/invoice.ts'
import { type InvoiceStatus } from '#kernel/enums.ts'

const today = '2026-11-23'
const [yesterday, tomorrow] = ['2026-11-22', '2026-11-24']

const slip = (status: Slip['status'], dueDate = tomorrow): Slip => ({ status, dueDate })
const ahead = slip('pending')
const onTheDay = slip('pending', today)
const late = slip('pending', yesterday)
const paid = slip('paid', yesterday)
const cancelled = slip('cancelled', yesterday)

describe('the status of a file', () => {
  test.each<[string, Slip | null, string]>([
    ['no slip', null, 'available'],
    ['due tomorrow', ahead, 'pending'],
    ['due today', onTheDay, 'pending'],
    ['due yesterday', late, 'overdue'],
    ['paid, however late', paid, 'paid'],
    ['cancelled, however late', cancelled, 'cancelled'],
  ])('%s', (_case, given, status) => {
    expect(fileStatus(given, today)).toBe(status)
  })
})

describe('the status of an invoice', () => {
  test.each<[string, Slip[], InvoiceStatus]>([
    ['one ahead', [ahead], 'all-pending'],
    ['one due today', [onTheDay], 'all-pending'],
    ['several ahead', [ahead, onTheDay], 'all-pending'],
    ['one late', [late], 'all-overdue'],
    ['several late', [late, late], 'all-overdue'],
    ['one late, one ahead', [late, ahead], 'partially-overdue'],
    ['one late, one paid', [late, paid], 'partially-overdue'],
    ['one late, one paid, one ahead', [paid, ahead, late], 'partially-overdue'],
    ['one paid, one ahead', [paid, ahead], 'partially-paid'],
    ['one paid', [paid], 'all-paid'],
    ['several paid', [paid, paid], 'all-paid'],
    ['one cancelled', [cancelled], 'cancelled'],
    ['several cancelled', [cancelled, cancelled], 'cancelled'],
    ['one cancelled, one ahead', [cancelled, ahead], 'all-pending'],
    ['one cancelled, one late', [cancelled, late], 'all-overdue'],
    ['one cancelled, one paid', [cancelled, paid], 'all-paid'],
    ['one cancelled, one late, one ahead', [cancelled, late, ahead], 'partially-overdue'],
    ['one cancelled, one paid, one ahead', [cancelled, paid, ahead], 'partially-paid'],
  ])('%s', (_case, slips, status) => {
    // With slips its own due date says nothing.
    for (const dueDate of [yesterday, today, tomorrow]) expect(invoiceStatus(dueDate, slips, today)).toBe(status)
  })

  test.each([
    [yesterday, 'all-overdue'],
    [today, 'all-pending'],
    [tomorrow, 'all-pending'],
  ])('without slips, due %s', (dueDate, status) => {
    expect(invoiceStatus(dueDate, [], today)).toBe(status)
  })
})

test('the status is unpaid exactly when there is an unpaid due date, and overdue exactly when that is past', () => {
  const kinds = [ahead, onTheDay, late, paid, cancelled]
  const sets = [[], ...kinds.map((one) => [one]), ...kinds.flatMap((one) => kinds.map((two) => [one, two]))]
  const all = sets.flatMap((set) => kinds.map((one) => [...set, one])).concat(sets)
  for (const slips of all) {
    for (const dueDate of [yesterday, today, tomorrow]) {
      const status = invoiceStatus(dueDate, slips, today)
      const unpaid = unpaidDueDate(dueDate, slips)
      expect(UNPAID_STATUSES.includes(status)).toBe(unpaid !== null)
      expect(status.endsWith('overdue')).toBe(unpaid !== null && unpaid < today)
    }
  }
})
