/* What each district says of the tables that it writes: what a person's copy has of them, and what an erasure does to them. */

/** Rows that are of a person: each is given whole but for the columns in `omit`, so that a new column is in the copy from its first day. */
export interface PersonalRows {
  /** SQL of the condition. It takes the company as $1, the member's id as $2 (null: the person is no member there) and the CPF as $3. */
  readonly of: string
  /** Ids, what is computed from other columns, and what is of other people. */
  readonly omit: readonly string[]
  /** SQL of a JSON object whose keys are added: names in place of ids. */
  readonly add?: string
  readonly orderBy: string
}

/** What becomes of each column that can hold text when a person is erased: names of columns, with spaces between. */
export interface TextColumns {
  /** Data of the person: the statement of the table empties them. */
  readonly erased?: string
  /** Free text of others: the CPF, an e-mail address and the full name are replaced in it, as the plan says. */
  readonly searched?: string
  /** Texts that compare people: only the CPF is replaced. */
  readonly searchedForCpf?: string
  /** JSON, value by value: the same in all its texts. */
  readonly replaced?: string
  /** JSON, value by value: the same in the texts of other people but those by which they are known. */
  readonly replacedOfPeople?: string
  /** Deleted within days, or once the work is done: see src/kernel/retention-classes.ts. */
  readonly passing?: string
  /** Data of who uses the service, of companies and of carriers: not of people who have benefits. */
  readonly account?: string
  /** Ids, closed sets, numbers, hashes and secrets. */
  readonly none?: string
}

/** A table: its rows in the copy of a person's data, or why they are not in it; and its columns of text. */
export interface PersonalTable extends TextColumns {
  readonly copy: PersonalRows | string
}

export type PersonalData = Readonly<Record<string, PersonalTable>>
