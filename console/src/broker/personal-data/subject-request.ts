import type { Item, ResponseBody } from '@vigencia/client'

export type SubjectRequest = ResponseBody<'readSubjectRequest'>['result']
export type ListedSubjectRequest = Item<'listSubjectRequests'>
