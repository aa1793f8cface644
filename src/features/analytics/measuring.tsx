import { type ComponentType, lazy, type ReactNode, Suspense } from "react";
import { loadTexts } from "#src/i18n/index.ts";
import { analyticsTag } from "./config.ts";

interface MeasuringProps {
  /** Wraps the choice once it is loaded. */
  around?: (choice: ReactNode, title: string) => ReactNode;
}

const Choice = lazy(async (): Promise<{ default: ComponentType<MeasuringProps> }> => {
  try {
    const [{ TitledChoice }] = await Promise.all([import("./consent-choice.tsx"), loadTexts("analytics")]);
    return { default: TitledChoice };
  } catch {
    // If loading fails, the rest of the page must still work.
    return { default: () => null };
  }
});

/** The consent setting. Rendered only if the operator has configured analytics. */
export function Measuring(props: MeasuringProps) {
  if (analyticsTag() === undefined) return null;
  return (
    <Suspense fallback={null}>
      <Choice {...props} />
    </Suspense>
  );
}
