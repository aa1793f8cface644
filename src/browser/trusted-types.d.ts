/** The used part of Trusted Types (https://www.w3.org/TR/trusted-types/). Some browsers lack it. */
interface Window {
  readonly trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL: (address: string) => string },
    ): {
      /** Returns the value that a Worker's constructor or a script's `src` takes in place of a URL. */
      createScriptURL(address: string): URL;
    };
  };
}
