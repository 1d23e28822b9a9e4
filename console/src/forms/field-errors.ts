import { ApiError } from '@vigencia/client'

/**
 * The path of a field in @mantine/form: `products[0].billing-day` is `products.0.billing-day`; an item of a list of values, such as
 * `company-tax-ids[2]`, belongs to its list.
 */
export function pathOf(field: string): string {
  return field.replace(/\[\d+\]$/, '').replaceAll(/\[(\d+)\]/g, '.$1')
}

/**
 * The messages of a refused body by the paths of @mantine/form.
 * @param fields the last parts of the paths that the form has an input for; others are only in the message of the error.
 */
export function fieldErrorsOf(error: Error, fields: readonly string[]): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  const messages = error.details.flatMap(({ field, message }) => {
    const path = pathOf(field)
    const name = path.split('.').at(-1) ?? ''
    return message !== undefined && fields.includes(name) ? [[path, message] as const] : []
  })
  return Object.fromEntries(messages)
}
