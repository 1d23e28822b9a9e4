import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import type { Result } from '@vigencia/client'
import { api } from '../../api/client.ts'

export type Disclosed = Result<'discloseMember'>

export type MemberDisclosure = UseMutationResult<Disclosed, Error, void>

/** What is masked of a member, once it was asked for. It leaves the memory with the page. */
export function useMemberDisclosure(memberId: string): MemberDisclosure {
  return useMutation({ mutationFn: () => api.members.disclose(memberId), gcTime: 0 })
}
