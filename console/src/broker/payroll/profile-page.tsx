import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { ApiError } from '@vigencia/client'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { useOperation } from '../../api/use-operation.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { DialogButton } from '../../components/dialog.tsx'
import { notifyDone } from '../../components/notify.ts'
import { ObjectPage } from '../../components/object-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/state-view.tsx'
import { Value } from '../../components/value.tsx'
import { useReplacing, useSaving } from '../../forms/page-form.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { ProfileForm } from './profile-form.tsx'
import { bodyOf, newProfile, type Profile, type ProfileValues, valuesOf } from './profile-values.ts'

const route = getRouteApi('/shell/payroll/$taxId/profile')

/** How deductions are written for the payroll of a company. */
export function ProfilePage() {
  const { t } = useTranslation('payroll')
  const { taxId } = route.useParams()
  const mayWrite = usePermission('putPayrollProfile')
  const company = useOperation('readAnyCompany', { path: [taxId] }, { enabled: mayWrite })
  return (
    <ObjectPage query={company} title={t('profile.title')} mayRead={mayWrite}>
      {({ result: { name } }) => (
        <>
          <PageHeader title={<Value>{t('profile.titleOne', { company: name })}</Value>} />
          <ProfileOf key={taxId} taxId={taxId} />
        </>
      )}
    </ObjectPage>
  )
}

function ProfileOf({ taxId }: { readonly taxId: string }) {
  const profile = useOperation('readPayrollProfile', { path: [taxId] })
  const { error } = profile
  if (profile.data === undefined && error instanceof ApiError && error.code === 'payroll-profile-not-found') {
    return <NewProfile taxId={taxId} />
  }
  return <QueryView query={profile}>{({ result }) => <EditProfile taxId={taxId} profile={result} />}</QueryView>
}

function NewProfile({ taxId }: { readonly taxId: string }) {
  const saving = useSaving(
    (values: ProfileValues) => api.payroll.putProfile(taxId, bodyOf(values)),
    useProfileSaved(taxId),
  )
  return <ProfileForm taxId={taxId} initialValues={newProfile} saving={saving} />
}

function EditProfile({ taxId, profile }: { readonly taxId: string; readonly profile: Profile }) {
  const { t } = useTranslation('payroll')
  const { base, initialValues, saving } = useReplacing(profile, {
    valuesOf,
    read: () => api.payroll.getProfile(taxId),
    stateOf: (one) => one['updated-at'],
    put: (values: ProfileValues) => api.payroll.putProfile(taxId, bodyOf(values)),
    onSaved: useProfileSaved(taxId),
    changed: t('profile.changedMeanwhile'),
    load: t('profile.loadCurrent'),
  })
  return (
    <ProfileForm key={base['updated-at']} taxId={taxId} initialValues={initialValues} saving={saving}>
      <DialogButton variant="default" dialog={(close) => <DeleteDialog taxId={taxId} onClose={close} />}>
        {t('profile.delete')}
      </DialogButton>
    </ProfileForm>
  )
}

/** The way back to the payroll of the company. */
function useLeave(taxId: string) {
  const navigate = useNavigate()
  return () => navigate({ to: '/payroll', search: { 'company-tax-id': taxId }, ignoreBlocker: true })
}

/** Tells that the profile is saved, and leads to the payroll of the company, whose figures may be others. */
function useProfileSaved(taxId: string) {
  const { t } = useTranslation('payroll')
  const queryClient = useQueryClient()
  const leave = useLeave(taxId)
  return async () => {
    notifyDone(t('profile.saved'))
    await leave()
    void queryClient.invalidateQueries()
  }
}

function DeleteDialog({ taxId, onClose }: { readonly taxId: string; readonly onClose: () => void }) {
  const { t } = useTranslation('payroll')
  const leave = useLeave(taxId)
  return (
    <ActDialog
      title={t('profile.deleteTitle')}
      action={t('profile.delete')}
      isDestructive
      act={() => api.payroll.deleteProfile(taxId)}
      done={t('profile.deleted')}
      onDone={leave}
      onClose={onClose}
    >
      <Text size="sm">{t('profile.deleteText')}</Text>
    </ActDialog>
  )
}
