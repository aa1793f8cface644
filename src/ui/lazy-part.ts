import { type ComponentType, lazy } from "react";
import { loadTexts } from "#src/i18n/index.ts";

/** A component that is loaded when it is first shown. @param texts the namespaces that it needs, which are loaded with it */
export function lazyPart<Props>(load: () => Promise<ComponentType<Props>>, ...texts: string[]) {
  return lazy(async () => {
    const [part] = await Promise.all([load(), ...texts.map(loadTexts)]);
    return { default: part };
  });
}
