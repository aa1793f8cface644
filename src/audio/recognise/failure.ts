/**
 * `brokenModel`: a file of the model can't be loaded. `cantDecode`: this browser can't read the recording. `fellBehind`: live sound
 * was lost.
 */
export type RecogniserCode = "brokenModel" | "cantDecode" | "fellBehind";

/** Why something can't be recognized, as a code for programs. */
export class RecogniserError extends Error {
  override readonly name = "RecogniserError";
  readonly code: RecogniserCode;

  constructor(code: RecogniserCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
