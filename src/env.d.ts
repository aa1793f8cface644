interface ImportMetaEnv {
  /** The hosted API's address, for a page that is on a host of its own. */
  readonly VITE_API_URL?: string;
}
