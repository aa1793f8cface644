import type { DeviceTranslationFile } from "#contract/index.ts";

/** One file of a model. */
export interface ModelFile {
  /** The same as long as the content is: of the build, or a path of the API. */
  url: string;
  /** Of the download, in bytes. */
  bytes: number;
  /** Of the content, in hex. */
  sha256: string;
  /** What is downloaded is the content, gzipped. */
  isGzipped: boolean;
}

/** The recogniser's, as the build has them (vite.config.ts). */
type ModelPart = "encoder" | "decoder" | "tokens" | "silero" | "wasm";
export type ModelFiles = Readonly<Record<ModelPart, ModelFile>>;

/** A translator's: those of the server's model, and the engine's WebAssembly, which is the build's. */
export interface TranslatorFile extends ModelFile {
  part: DeviceTranslationFile["part"] | "wasm";
}

/** Of one piece of a download that is stored when it is whole, in bytes. */
export const pieceBytes = 2 * 1024 * 1024;

export const downloadBytes = (files: readonly ModelFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

/** The addresses under which the pieces of a file are stored, in their order. */
export const piecesOf = ({ url, bytes }: ModelFile): string[] =>
  Array.from({ length: Math.ceil(bytes / pieceBytes) }, (_, index) => `${url}?piece=${index}`);
