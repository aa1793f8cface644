import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { buttonClass } from "#src/ui/button.tsx";

/** Links to the file upload, for users whose browser can't record. */
export function UploadInstead() {
  const { t } = useTranslation("app");
  return (
    <Link className={buttonClass("secondary")} to="/file-upload-config">
      {t("speech.microphone.uploadInstead")}
    </Link>
  );
}
