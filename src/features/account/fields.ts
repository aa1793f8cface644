import type { AccountField } from "./account-form.tsx";

// Fields used by several forms. Labels and hints are keys of the locale files.

/** The account's address. */
export const emailField: AccountField = {
  name: "email",
  label: "account.email",
  type: "email",
  autoComplete: "username",
  inputMode: "email",
  required: true,
};

/** The account's password. */
export const passwordField: AccountField = {
  name: "password",
  label: "account.password",
  type: "password",
  autoComplete: "current-password",
  required: true,
};

/** The new password that the user chooses. */
export const newPasswordField: AccountField = {
  name: "password",
  label: "account.chosenPassword",
  hint: "account.passwordHint",
  type: "password",
  autoComplete: "new-password",
  required: true,
};
