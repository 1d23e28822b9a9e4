/** A card number as it is compared: its letters and digits, in upper case. The generated column `benefit.card_key` has the same form. */
export function cardKey(cardNumber: string): string {
  return cardNumber.replaceAll(/[^\dA-Za-z]/g, '').toUpperCase()
}
