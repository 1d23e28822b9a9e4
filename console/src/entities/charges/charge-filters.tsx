import { useTranslation } from 'react-i18next'
import { INVOICE_CLASSES } from '../../../../src/kernel/reconciliation.ts'
import { CHARGE_CAUSES } from '../../../../src/money/rules/charge.ts'
import { CERTAINTIES } from '../../../../src/money/rules/forecast-causes.ts'
import { VARIANCE_CLASSES } from '../../../../src/money/rules/variance.ts'
import { ChoiceFilter, Filters, TextFilter } from '../../lists/filters.tsx'
import { MonthField } from './month-field.tsx'

/** Which charges are listed. @param props.hasNames whether they can be found by name. */
export function ChargeFilters({ month, hasNames = false }: { readonly month: string; readonly hasNames?: boolean }) {
  const { t } = useTranslation(['charges', 'forecasts', 'terms'])
  const any = t('charges:anything')
  return (
    <Filters>
      <MonthField month={month} />
      {hasNames && <TextFilter name="q" label={t('charges:name')} clearsInvalid />}
      <ChoiceFilter
        name="cause"
        label={t('charges:cause')}
        any={any}
        data={CHARGE_CAUSES.map((value) => ({ value, label: t(`charges:causeOf.${value}`) }))}
      />
      <ChoiceFilter
        name="certainty"
        label={t('charges:certainty')}
        any={any}
        data={CERTAINTIES.map((value) => ({ value, label: t(`charges:certaintyOf.${value}`) }))}
      />
      <ChoiceFilter
        name="class"
        label={t('charges:class')}
        any={any}
        data={INVOICE_CLASSES.map((value) => ({ value, label: t(`terms:discrepancyClass.${value}`) }))}
      />
      <ChoiceFilter
        name="variance"
        label={t('charges:variance')}
        any={any}
        data={VARIANCE_CLASSES.map((value) => ({ value, label: t(`forecasts:classOf.${value}`) }))}
      />
    </Filters>
  )
}
