import { Anchor, Group } from '@mantine/core'
import type { Item } from '@vigencia/client'
import type { TFunction } from 'i18next'
import type { Column } from '../../components/data-table.tsx'
import { Absent, NumberValue } from '../../components/value.tsx'
import { formatMonth } from '../../format/month.ts'
import { column, money, number, text, timestamp } from '../../lists/columns.tsx'
import { layoutName } from '../layouts/built-in-words.ts'

/** The company does not see the layout. */
type Export = Item<'listCompanyPayrollExports'> & { readonly 'layout-id'?: string }

const formats = ['csv', 'xlsx'] as const

/**
 * The columns of exports.
 * @param options.fileOf the address of the file of an export; without it nothing is downloaded.
 * @param options.hasLayout for the broker.
 * @param options.isOneMonth all are of the same month, which is not repeated.
 */
export function exportColumns(
  t: TFunction<['payroll']>,
  options: {
    readonly fileOf?: (exportId: string) => string
    readonly isOneMonth?: boolean
    readonly hasLayout?: boolean
  },
): readonly Column<Export>[] {
  const { fileOf, isOneMonth = false, hasLayout = false } = options
  return [
    ...(isOneMonth ? [] : [text<Export>(t('payroll:period'), (one) => formatMonth(one['reference-month']), '7.5rem')]),
    column(t('payroll:number'), '8.25rem', ({ number: value, kind }) => (
      <>
        <NumberValue value={value} />
        {kind === 'leavers' && ` · ${t('payroll:leaving.title')}`}
      </>
    )),
    timestamp(t('payroll:madeAt'), 'created-at', 'minmax(9.25rem, 1fr)'),
    number(t('payroll:employees'), 'employees', '7rem'),
    money(t('payroll:amount'), 'amount', '8.75rem'),
    money(t('payroll:toBill'), 'bill-amount', '6.25rem'),
    ...(hasLayout ? [text<Export>(t('payroll:layout'), layoutOf, 'minmax(5rem, 1fr)')] : []),
    ...(fileOf === undefined ? [] : fileColumns(t, fileOf)),
  ]
}

const layoutOf = ({ 'layout-id': id = '' }: Export) => layoutName({ 'layout-id': id, name: id })

function fileColumns(t: TFunction<['payroll']>, fileOf: (exportId: string) => string): readonly Column<Export>[] {
  const nameOf = (one: Export) => ({ number: one.number, month: formatMonth(one['reference-month']) })
  return [
    column(t('payroll:file'), '5rem', (one) => (
      <Anchor
        size="sm"
        href={fileOf(one['payroll-export-id'])}
        download
        aria-label={t('payroll:downloadOf', nameOf(one))}
      >
        {t('payroll:download')}
      </Anchor>
    )),
    column(t('payroll:billList'), '7.5rem', (one) =>
      one['bill-amount'] === 0 ? (
        <Absent />
      ) : (
        <Group gap="sm">
          {formats.map((format) => (
            <Anchor
              key={format}
              size="sm"
              href={`${fileOf(one['payroll-export-id'])}?destination=bill&format=${format}`}
              download
              aria-label={t('payroll:billOf', { ...nameOf(one), format: format.toUpperCase() })}
              translate="no"
            >
              {format.toUpperCase()}
            </Anchor>
          ))}
        </Group>
      ),
    ),
  ]
}
