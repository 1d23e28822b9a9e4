const brazilian = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** As Portuguese writes it: `R$ 1.987,60`. @param amount in reais, with two decimals. */
export function moneyOf(amount: string): string {
  return `R$ ${brazilian.format(amount as `${number}`)}`
}
