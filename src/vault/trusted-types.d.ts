/** Trusted Types, as far as they are used here (https://www.w3.org/TR/trusted-types/); some browsers have none. */
interface Window {
  readonly trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL: () => string },
    ): {
      /** What the constructor of Worker takes in the place of an address. */
      createScriptURL(address: string): URL;
    };
  };
}
