import { expect, test } from 'vitest'
import { act, enroll, moved, openShipmentOf, openShipper } from '../../world/shipment.ts'
import { expectOk, type Json, primary, useTestApp } from '../../world/test-app.ts'

/* What is due at a carrier is counted on the business clock, which in staging is ahead of the time: here by decades, so that no run overtakes it. */

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2054-12-07' })

test('the carrier has its business days from the business day of the sending on; only then is the shipment overdue', async () => {
  const shipper = await openShipper(testApp, { 'answer-within-business-days': 5 })
  const [id] = await enroll(testApp, shipper, [primary()])
  const moveTo = async (day: string) =>
    expectOk(await testApp.operator.post('/operator/v1/clock', { 'business-date': day }))
  const overdue = async (): Promise<string[]> => {
    const query = `company-tax-id=${shipper.company.taxId}&overdue-at-carrier=true`
    const { result } = expectOk(await testApp.operator.get(`/operator/v1/enrollment?${query}`)).body
    return result.map((item: Json) => item.id)
  }
  await moveTo('2055-01-08')
  const shipment = await openShipmentOf(testApp, shipper.contractId)
  expectOk(await act(testApp, shipment, 'close'))
  expectOk(await act(testApp, shipment, 'send'))
  // A Friday: five business days later is the Friday after.
  expect((await moved(testApp, shipment))['answer-until']).toBe('2055-01-15')
  expect(await overdue()).toEqual([])
  await moveTo('2055-01-15')
  expect(await overdue()).toEqual([])
  await moveTo('2055-01-16')
  expect(await overdue()).toEqual([id])
})
