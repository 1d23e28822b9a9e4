/** What went wrong with an SFTP server, as a code of the service. */
export class SftpError extends Error {
  readonly code: string

  constructor(code: string) {
    super(code)
    this.code = code
  }
}
