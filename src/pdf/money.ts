/** As Portuguese writes it: `R$ 1.987,60`. @param amount with two decimals. */
export function moneyOf(amount: string): string {
  return `R$ ${amount.replace('.', ',').replaceAll(/\B(?=(?:\d{3})+,)/g, '.')}`
}
