import type { ResponseBody } from '@vigencia/client'

export type SubjectRequest = ResponseBody<'readSubjectRequest'>['result']
