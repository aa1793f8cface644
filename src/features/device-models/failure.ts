/** A failure of a model on this device. `code` is a key of the locale files (`device-models:failure.*`). */
export class DeviceFailure extends Error {
  readonly code: string;
  constructor(code: string, cause?: unknown) {
    super(`The model on this device: ${code}`, { cause });
    this.code = code;
  }
}
