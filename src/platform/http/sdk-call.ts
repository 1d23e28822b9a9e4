/* How a method of the SDK is called, as far as it follows from the operation: for its generator and for the samples of the documents. */

/** As far as it is read here. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly oneOf?: readonly unknown[]
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
}

export interface SdkOperation {
  readonly operationId: string
  /** `noun.method`; without it there is no method, or it is written by hand. */
  readonly 'x-sdk'?: string
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: { readonly required?: boolean }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema?: Schema }>> }>>
}

/** What a method takes after the values of the path, and what it returns. @param schemas those of the document, by name. */
export function sdkCallOf(operation: SdkOperation, schemas: Readonly<Record<string, Schema>>) {
  const { operationId: id, parameters = [], responses, requestBody } = operation
  const resolved = ({ $ref, ...schema }: Schema = {}) => ($ref ? schemas[$ref.split('/').at(-1) ?? ''] : schema) ?? {}
  const query = parameters.filter((one) => one.in === 'query').map((one) => one.name)
  const content = responses['200']?.content
  const json = content?.['application/json']
  const { required = [], properties = {} } = resolved(json?.schema)
  const isList = resolved(properties['result']).type === 'array' && /^(list|search)/.test(id)
  const returnsOf = () => {
    if (query.includes('page')) return 'pages'
    if (content === undefined) return 'nothing'
    if (json === undefined) return 'file'
    if (isList) return 'items'
    return required.length === 1 && required[0] === 'result' ? 'result' : 'body'
  }
  const returns = returnsOf()
  const takesQuery = returns === 'pages' || (returns === 'items' && query.length > 0) || query.length > 1
  const takes = requestBody !== undefined ? 'body' : takesQuery ? 'query' : null
  const isBodyOptional = requestBody !== undefined && requestBody.required !== true
  return {
    returns,
    takes,
    isBodyOptional,
    query,
    isJudged: json?.schema?.oneOf !== undefined && query.includes('dry-run'),
  } as const
}
