import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { buttonClass } from "#src/ui/button.tsx";

/** Leads whoever can't record in this browser to where a file is uploaded. */
export function UploadInstead() {
  const { t } = useTranslation("app");
  return (
    <Link className={buttonClass("secondary")} to="/file-upload-config">
      {t("speech.microphone.uploadInstead")}
    </Link>
  );
}
