/**
 * `brokenModel`: a file of the model can't be loaded. `cantDecode`: this browser can't read the recording.
 * `fellBehind`: live audio was lost.
 */
export type RecogniserCode = "brokenModel" | "cantDecode" | "fellBehind";

/** Why recognition failed, with a code for programs. */
export class RecogniserError extends Error {
  override readonly name = "RecogniserError";
  readonly code: RecogniserCode;

  constructor(code: RecogniserCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
