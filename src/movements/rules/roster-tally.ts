/* What families of a list are counted by. */
import type { RosterLine, RosterTally } from './roster.ts'
import { type ComparedPerson, isListed } from './roster-items.ts'
import { haveCommonWord } from './roster-lines.ts'

export function tallyOf(people: readonly ComparedPerson[], unchanged: number): RosterTally {
  const ofScope = people.filter(({ member, isOutside }) => member !== null && !isOutside)
  const isCovered = ({ member }: ComparedPerson) => member !== null && member.benefits.length > 0
  const primaries = ofScope.filter((one) => one.role === 'primary' && isCovered(one))
  const dependents = ofScope.filter((one) => one.role === 'dependent' && isCovered(one))
  const covered: Record<string, number> = {}
  for (const { member } of ofScope) {
    for (const id of new Set(member?.benefits.map(({ productId }) => productId))) covered[id] = (covered[id] ?? 0) + 1
  }
  const known = ofScope.filter(isListed)
  return {
    unchanged,
    coveredPrimaries: primaries.length,
    listedPrimaries: primaries.filter(isListed).length,
    coveredDependents: dependents.length,
    listedDependents: dependents.filter(isListed).length,
    known: known.length,
    conflicts: known.filter((person) => person.lines.some((line) => contradicts(person, line))).length,
    covered,
  }
}

/** Whether a line with the CPF of somebody has the name or the birth date of another person. */
function contradicts({ member, matchedBy }: ComparedPerson, { profile, offenses }: RosterLine): boolean {
  if (member === null || matchedBy !== 'tax-id' || offenses.length > 0) return false
  const [name, birth] = [member.profile['name'], member.profile['date-of-birth']]
  const [statedName, statedBirth] = [profile['name'], profile['date-of-birth']]
  const isOtherName = typeof name === 'string' && typeof statedName === 'string' && !haveCommonWord(name, statedName)
  const isOtherBirth = typeof birth === 'string' && typeof statedBirth === 'string' && birth !== statedBirth
  return isOtherName || isOtherBirth
}
