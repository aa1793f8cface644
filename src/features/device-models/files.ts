/** One file of a model, as the build has it (vite.config.ts). */
export interface ModelFile {
  /** The same as long as the content is. What is there is gzipped. */
  url: string;
  /** Of the download, in bytes. */
  bytes: number;
  /** Of the content, in hex. */
  sha256: string;
}

type ModelPart = "encoder" | "decoder" | "tokens" | "silero" | "wasm";
export type ModelFiles = Readonly<Record<ModelPart, ModelFile>>;

/** Of one piece of a download that is stored when it is whole, in bytes. */
export const pieceBytes = 2 * 1024 * 1024;

export const listFiles = (files: ModelFiles): ModelFile[] => Object.values(files);
export const downloadBytes = (files: ModelFiles): number => listFiles(files).reduce((sum, { bytes }) => sum + bytes, 0);

/** The addresses under which the pieces of a file are stored, in their order. */
export const piecesOf = ({ url, bytes }: ModelFile): string[] =>
  Array.from({ length: Math.ceil(bytes / pieceBytes) }, (_, index) => `${url}?piece=${index}`);
