interface ImportMetaEnv {
  /** The hosted API's address, for a page on its own host. */
  readonly VITE_API_URL?: string;
}

/** The most common passwords, the most common first (vite.config.ts). */
declare module "virtual:common-passwords" {
  const passwords: string[];
  export default passwords;
}

/**
 * The files of models that this browser can store: the speech recognition model, and Bergamot's WebAssembly
 * (vite.config.ts).
 */
declare module "virtual:device-models" {
  const files: import("./features/device-models/files.ts").ModelFiles;
  export default files;
  export const bergamotWasm: import("./features/device-models/files.ts").ModelFile;
}

/** Bergamot's script (vite.config.ts). */
declare module "virtual:bergamot" {
  const script: import("../translation/bergamot.ts").BergamotScript;
  export default script;
}
