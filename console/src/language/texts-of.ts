/** The catalogue of another language than English: the same keys. */
export type TextsOf<T> = { readonly [Key in keyof T]: T[Key] extends string ? string : TextsOf<T[Key]> }
