import { useTranslation } from "react-i18next";
import { Slide, ToastContainer, toast } from "react-toastify/unstyled";
import "react-toastify/ReactToastify.css";
import type { Toast } from "../../app/toasts.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import styles from "./toasts.module.css";

/** SPEC.md section 9: milliseconds on the screen, and how many at once. */
const durations = { success: 2_000, error: 4_000, warning: 5_000, plain: 4_000 } as const satisfies Record<Toast["kind"], number>;
const most = 20;

/** Where messages appear. They wait while the pointer or the focus is on one of them. */
export function Toasts() {
  const { t } = useTranslation();
  return (
    <ToastContainer
      className={styles.corner ?? ""}
      toastClassName={styles.toast ?? ""}
      progressClassName={styles.progress ?? ""}
      position="top-right"
      limit={most}
      newestOnTop
      hideProgressBar
      closeButton={false}
      icon={false}
      pauseOnHover
      transition={Slide}
      aria-label={t("toast.region")}
    />
  );
}

/** Shows a message; the same one is not shown twice at the same time. */
export function showToast(message: Toast): void {
  const { kind, key, values, action } = message;
  toast(({ closeToast }) => <Message message={message} onClose={() => closeToast(true)} />, {
    type: kind === "plain" ? "default" : kind,
    role: kind === "error" ? "alert" : "status",
    autoClose: durations[kind],
    ...(action ? {} : { toastId: `${kind} ${key} ${JSON.stringify(values ?? {})}` }),
  });
}

/** Who is on a button with the keyboard has as long as they want. */
const hold = { onFocus: () => toast.pause(), onBlur: () => toast.play() };
const icons = { success: "check", error: "warning", warning: "warning" } as const;

function Message({ message: { kind, key, values, action }, onClose }: { message: Toast; onClose(): void }) {
  const { t } = useTranslation();
  const run = () => {
    onClose();
    action?.run();
  };
  return (
    <div className={`${styles.message} ${styles[kind]}`}>
      {kind === "plain" ? null : <Icon name={icons[kind]} />}
      <p>{t(key, { ...values })}</p>
      <span className={styles.buttons}>
        {action ? (
          <Button look="quiet" onClick={run} {...hold}>
            {t(action.key)}
          </Button>
        ) : null}
        <IconButton icon="close" label={t("toast.close")} onClick={onClose} {...hold} />
      </span>
    </div>
  );
}
