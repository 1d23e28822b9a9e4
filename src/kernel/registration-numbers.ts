const CNS = /^[12789]\d{2} ?\d{4} ?\d{4} ?\d{4}$/
const PIS = /^(?:\d{11}|\d{3}\.\d{5}\.\d{2}-\d)$/

/**
 * The 15 digits of a number of the national health card (CNS), plain or as `000 0000 0000 0000`; else null. The digits, weighted 15 to 1, add up
 * to a multiple of 11.
 */
export function parseCns(value: unknown): string | null {
  if (typeof value !== 'string' || !CNS.test(value)) return null
  const number = value.replaceAll(' ', '')
  return weightedSum(number, (index) => 15 - index) % 11 === 0 ? number : null
}

/**
 * The 11 digits of a number of the PIS, PASEP or NIS, plain or as `000.00000.00-0`; else null. The check digit is verified and the ten repeated
 * sequences refused.
 */
export function parsePis(value: unknown): string | null {
  if (typeof value !== 'string' || !PIS.test(value)) return null
  const number = value.replaceAll(/[.-]/g, '')
  if (number === number.charAt(0).repeat(11)) return null
  // The weights are 3, 2, 9, 8, ... 2.
  const remainder = weightedSum(number.slice(0, 10), (index) => 2 + ((9 - index) % 8)) % 11
  return Number(number.charAt(10)) === (remainder < 2 ? 0 : 11 - remainder) ? number : null
}

function weightedSum(digits: string, weightOf: (index: number) => number): number {
  let sum = 0
  for (let index = 0; index < digits.length; index += 1) sum += Number(digits[index]) * weightOf(index)
  return sum
}
