import { auditVerifyCommand } from './audit.ts'
import { carrierSimulatorCommand } from './carrier-simulator.ts'
import { configCommand } from './config.ts'
import { demoCommand } from './demo.ts'
import { doctorCommand } from './doctor.ts'
import { invariantsCommand } from './invariants.ts'
import { migrateCommand } from './migrate.ts'
import type { ServiceCommands } from './program.ts'
import { startCommand } from './start.ts'

/** Those that run the service, or look into its database and folder. */
export const serviceCommands: ServiceCommands = {
  commands: [
    startCommand,
    migrateCommand,
    configCommand,
    doctorCommand,
    demoCommand,
    carrierSimulatorCommand,
    invariantsCommand,
  ],
  ofAudit: [auditVerifyCommand],
}
