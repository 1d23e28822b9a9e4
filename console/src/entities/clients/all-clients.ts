import { queryOptions } from '@tanstack/react-query'
import type { Item } from '@vigencia/client'
import { api } from '../../api/client.ts'

export type Client = Item<'listClients'>

/** All clients of partners: a broker has tens of them, and the service has no other read of one. */
export const allClientsQuery = queryOptions({
  queryKey: ['listClients', 'all'],
  queryFn: async ({ signal }) => {
    const clients: Client[] = []
    for await (const client of api.clients.list({}, { signal })) clients.push(client)
    return clients
  },
})
