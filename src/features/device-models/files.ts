import type { DeviceTranslationFile } from "#contract/index.ts";

/** One file of a model. */
export interface ModelFile {
  /** Changes with the content: a file of the build, or a path of the API. */
  url: string;
  /** Size of the download. */
  bytes: number;
  /** Hash of the content, in hex. */
  sha256: string;
  /** Whether the download is the gzipped content. */
  isGzipped: boolean;
}

/** The files of the speech recognition model, as in the build (vite.config.ts). */
type ModelPart = "encoder" | "decoder" | "tokens" | "silero" | "wasm";
export type ModelFiles = Readonly<Record<ModelPart, ModelFile>>;

/** A file of a translation model: from the server's model, or the engine's WebAssembly from the build. */
export interface TranslatorFile extends ModelFile {
  part: DeviceTranslationFile["part"] | "wasm";
}

/** Size of one piece of a download. A piece is stored when it is complete. */
export const pieceBytes = 2 * 1024 * 1024;

export const downloadBytes = (files: readonly ModelFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

/** The addresses under which the pieces of a file are stored, in order. */
export const piecesOf = ({ url, bytes }: ModelFile): string[] =>
  Array.from({ length: Math.ceil(bytes / pieceBytes) }, (_, index) => `${url}?piece=${index}`);
