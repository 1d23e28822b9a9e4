/**
 * The key of the method of `Database` that runs a transaction. Only `write` has it: everything else that changes data is a verb, which calls
 * `write`. dependency-cruiser holds that.
 */
export const transact: unique symbol = Symbol('transact')
