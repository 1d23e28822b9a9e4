import { useTranslation } from 'react-i18next'
import { formatDate } from '../../format/date.ts'
import { type Axis, type Benefit, dayNumber, isInForce, yearsOf } from '../../entities/benefits/benefits.ts'

const maxYears = 8

/** The benefits on a time axis, a bar for each. For assistive technology it is an image: the table has the same as text. */
export function BenefitAxis(props: {
  readonly benefits: readonly Benefit[]
  /** The day that is marked. */
  readonly on: string
  readonly axis: Axis
}) {
  const { benefits, on, axis } = props
  const { t } = useTranslation('members')
  const percent = (number: number) => (100 * (number - axis.first)) / (axis.last + 1 - axis.first)
  return (
    <div role="img" aria-label={t('axisLabel', { date: formatDate(on) })} className="benefit-axis" translate="no">
      {benefits.map((benefit) => {
        const start = dayNumber(benefit['start-date'])
        // The end is the last day covered.
        const end = benefit['end-date'] === null ? axis.last + 1 : dayNumber(benefit['end-date']) + 1
        return (
          <div key={benefit['benefit-id']} className="row">
            <div className="name">{benefit['product-name']}</div>
            <div className="track">
              <div
                className="bar"
                data-status={benefit.status}
                data-in-force={isInForce(benefit, on)}
                data-open={benefit['end-date'] === null}
                style={{ left: `${percent(start)}%`, width: `${percent(end) - percent(start)}%` }}
              />
              <div className="mark" style={{ left: `${percent(dayNumber(on) + 0.5)}%` }} />
            </div>
          </div>
        )
      })}
      <div className="row">
        <div className="name" />
        <div className="track years">
          {yearsOf(axis, maxYears).map((year) => (
            <span key={year} style={{ left: `${percent(dayNumber(`${year}-01-01`))}%` }}>
              {year}
            </span>
          ))}
        </div>
      </div>
    </div>
  )
}
