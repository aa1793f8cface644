import { memo, Suspense, use } from "react";
import { isFirstSight, takenOver } from "#src/browser/first-sight.ts";
// Its part is in the HTML before its script is there.
import "#src/features/engines/languages-here.module.css";

type Text = typeof import("./landing-text.tsx");

let text: Text | undefined;
let arriving: Promise<Text> | undefined;

/** For the route: whoever comes without HTML has the page with all its text, or none of it. */
export async function loadText(): Promise<void> {
  if (import.meta.env.SSR || !isFirstSight()) text ??= await import("./landing-text.tsx");
}

/** Where it can't be loaded, the HTML stays what it is. */
function arrival(): Promise<Text> {
  arriving ??= takenOver.then(() => import("./landing-text.tsx")).catch(() => new Promise<never>(() => {}));
  return arriving;
}

/**
 * A part of the page that is only read: what stands in the HTML is left alone until all else has been taken over. Remembered, as React takes away
 * the HTML of a boundary that is rendered again before it can be taken over.
 */
export const Read = memo(({ part }: { part: keyof Text }) => (
  <Suspense>
    <Part part={part} />
  </Suspense>
));

function Part({ part }: { part: keyof Text }) {
  const Shown = (text ?? use(arrival()))[part];
  return <Shown />;
}
