import { Link } from "@tanstack/react-router";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { buttonClass } from "#src/ui/button.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { fewModels } from "./few-models.ts";

/** After the first start: better engines than the one that comes with the product are a click away. For superusers. */
export function FewModelsNotice() {
  const { t } = useTranslation("app");
  const isFew = useSyncExternalStore(fewModels.subscribe, fewModels.get);
  if (!isFew) return null;
  return (
    <Notice
      announce={false}
      actions={
        <Link className={buttonClass("secondary")} to="/admin/models">
          {t("languages.chooseModels")}
        </Link>
      }
    >
      {t("languages.fewModels")}
    </Notice>
  );
}
