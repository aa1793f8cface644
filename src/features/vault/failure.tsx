import { useTranslation } from "react-i18next";
import { Icon } from "#src/ui/icon.tsx";
import { problemKey } from "./problem.ts";

/** Explains why an action on an item failed. @param code null: it succeeded or was not tried */
export function Failure({ code }: { code: string | null }) {
  const { t } = useTranslation("vault");
  if (code === null) return null;
  return (
    <p className="line top wrong size-1" role="alert">
      <Icon name="warning" />
      {t(problemKey(code))}
    </p>
  );
}
