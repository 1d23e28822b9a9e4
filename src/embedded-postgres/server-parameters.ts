import { createHash } from 'node:crypto'
import type { Binaries } from './binaries.ts'
import { accessFiles } from './cluster.ts'
import type { Locations } from './locations.ts'

const defaults = {
  max_connections: '60',
  shared_buffers: '128MB',
  synchronous_commit: 'on',
  wal_compression: 'on',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // A query whose service was killed does not run on.
  client_connection_check_interval: '2s',
}

/** Statements, parameters and refused values hold CPFs: none of them reaches the log. */
const discretion = {
  // Below `log` lie errors and warnings, whose very message can quote a value.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  // Leaves out DETAIL, which quotes keys, and CONTEXT, which quotes statements.
  log_error_verbosity: 'terse',
  log_statement: 'none',
  log_min_duration_statement: '-1',
  log_min_duration_sample: '-1',
  log_transaction_sample_rate: '0',
  log_duration: 'off',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_lock_waits: 'off',
  log_autovacuum_min_duration: '-1',
  debug_print_parse: 'off',
  debug_print_rewritten: 'off',
  debug_print_plan: 'off',
}

/** The parameters of `postgres`: ours, the caller's over them, and over all what keeps the data private. */
export function serverParameters(options: {
  place: Locations
  socketFolder: string
  clusterName: string
  mark: string
  settings: Record<string, string>
}): string[] {
  const { hba, ident } = accessFiles(options.place)
  const fixed = {
    ...discretion,
    listen_addresses: '',
    port: '5432',
    unix_socket_directories: `"${options.socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    hba_file: hba,
    ident_file: ident,
    logging_collector: 'off',
    log_destination: 'stderr',
    cluster_name: options.clusterName,
    'vigencia.mark': options.mark,
  }
  const all = Object.entries({ ...defaults, ...options.settings, ...fixed })
  return ['-D', options.place.cluster, ...all.flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

/** What a running server must bear to be adopted: a server of other programs or settings is replaced instead. */
export function markOf(binaries: Binaries, settings: Record<string, string>): string {
  const text = JSON.stringify([binaries, { ...defaults, ...settings, ...discretion }])
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
