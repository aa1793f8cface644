/** Trusted Types, as far as they are used here (https://www.w3.org/TR/trusted-types/); some browsers have none. */
interface Window {
  readonly trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL: (address: string) => string },
    ): {
      /** What the constructor of Worker, and a script's `src`, take in the place of an address. */
      createScriptURL(address: string): URL;
    };
  };
}
