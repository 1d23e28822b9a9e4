const daysPerWeek = 7

/** The days of the weeks of a month, from Sunday on, with those of the months around it. @param month `YYYY-MM` */
export function weeksOf(month: string): string[][] {
  const day = new Date(`${month}-01T00:00:00Z`)
  day.setUTCDate(1 - day.getUTCDay())
  const weeks: string[][] = []
  while (day.toISOString().slice(0, 7) <= month) {
    const week: string[] = []
    for (let index = 0; index < daysPerWeek; index++) {
      week.push(day.toISOString().slice(0, 10))
      day.setUTCDate(day.getUTCDate() + 1)
    }
    weeks.push(week)
  }
  return weeks
}
