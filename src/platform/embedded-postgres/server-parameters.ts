import { authenticationFiles } from './cluster.ts'
import type { Locations } from './locations.ts'

const defaults = {
  // For the most connections of a process, and those outside of its pool.
  max_connections: '250',
  shared_buffers: '128MB',
  synchronous_commit: 'on',
  wal_compression: 'on',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // Ends the query of a service that was killed.
  client_connection_check_interval: '2s',
}

/** Statements, parameters and refused values hold CPFs: none of them may reach the log. */
const logPrivacy = {
  // Excludes errors and warnings, whose message can quote a value.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  // Excludes DETAIL, which quotes keys, and CONTEXT, which quotes statements.
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

/** The command line of `postgres`: the settings override the defaults, and neither can change what keeps data private. */
export function serverParameters(
  locations: Locations,
  own: { readonly clusterName: string; readonly service: string },
  settings: Record<string, string>,
): string[] {
  const { hba, ident } = authenticationFiles(locations)
  const fixed = {
    ...logPrivacy,
    listen_addresses: '',
    port: '5432',
    unix_socket_directories: `"${locations.socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    hba_file: hba,
    ident_file: ident,
    logging_collector: 'off',
    log_destination: 'stderr',
    cluster_name: own.clusterName,
    'vigencia.service': own.service,
  }
  const all = Object.entries({ ...defaults, ...settings, ...fixed })
  return ['-D', locations.cluster, ...all.flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}
