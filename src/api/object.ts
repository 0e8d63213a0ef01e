/** The shape every Kubernetes object has here: only the metadata the operator reads. */
export interface ObjectMeta {
  readonly name: string
  readonly namespace: string
  readonly uid: string
  readonly resourceVersion: string
  readonly generation: number
  readonly creationTimestamp: string
  readonly deletionTimestamp?: string
  readonly finalizers?: readonly string[]
  readonly annotations?: Readonly<Record<string, string>>
  readonly labels?: Readonly<Record<string, string>>
}

export interface Resource<Spec, Status> {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: ObjectMeta
  readonly spec: Spec
  readonly status?: Status
}
