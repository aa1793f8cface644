import { type ComponentType, lazy, type ReactNode, Suspense } from "react";
import { loadTexts } from "#src/i18n/index.ts";
import { analyticsTag } from "./config.ts";

interface MeasuringProps {
  /** What stands around it, once it is there. */
  around?: (choice: ReactNode, title: string) => ReactNode;
}

const Choice = lazy(async (): Promise<{ default: ComponentType<MeasuringProps> }> => {
  try {
    const [{ TitledChoice }] = await Promise.all([import("./titled-choice.tsx"), loadTexts("analytics")]);
    return { default: TitledChoice };
  } catch {
    // Without it the rest of the page is as good as before.
    return { default: () => null };
  }
});

/** Whether the use of the page may be measured: only where an operator measures it. */
export function Measuring(props: MeasuringProps) {
  if (analyticsTag() === undefined) return null;
  return (
    <Suspense fallback={null}>
      <Choice {...props} />
    </Suspense>
  );
}
