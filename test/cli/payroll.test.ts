import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonPayroll } from '#apps/cli/payroll.ts'

test('each member of a JSON payroll is found on its line, whatever the members and their layout', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }))),
      fc.jsonValue(),
      fc.nat(3),
      (members, other, indent) => {
        const text = JSON.stringify({ other, members, last: { members: [1] } }, null, indent)
        const payroll = jsonPayroll('file', Buffer.from(text), null)
        expect(payroll.members).toBe(members.length)
        const lines = text.split('\n')
        for (const [index, [line]] of payroll.lines.entries()) {
          expect(lines[(line ?? 0) - 1]).toContain(JSON.stringify(members[index], null, indent).split('\n')[0])
        }
      },
    ),
  )
})
