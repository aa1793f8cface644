interface ImportMetaEnv {
  /** The hosted API's address, for a page that is on a host of its own. */
  readonly VITE_API_URL?: string;
}

/** The most common passwords, the most common first (vite.config.ts). */
declare module "virtual:common-passwords" {
  const passwords: string[];
  export default passwords;
}

/** The files of the model that this browser can keep (vite.config.ts). */
declare module "virtual:device-models" {
  const files: import("./features/device-models/files.ts").ModelFiles;
  export default files;
}
