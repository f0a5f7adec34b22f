{{/*
What a pod runs. Its processes share the heap: the processor starts another one with half of its own, and each worker of a gateway
gets the arguments of its primary, which itself holds nothing.
*/}}
{{- define "lending.arguments" -}}
{{- $percentage := .root.Values.heapPercentage }}
{{- if eq .name "processor" }}
{{- $percentage = div (mul $percentage 2) 3 }}
{{- else if eq .name "gateway" }}
{{- $processes := .settings.GATEWAY_PROCESSES | default 1 }}
{{- $percentage = div $percentage $processes }}
{{- if lt $percentage 1 }}
{{- fail (printf "GATEWAY_PROCESSES is %v: each process would get less than 1 %% of the memory; raise replicas instead" $processes) }}
{{- end }}
{{- end }}
- --max-old-space-size-percentage={{ $percentage }}
{{- if eq .name "processor" }}
- --external-memory-accounted-in-global-limit
{{- end }}
- services/{{ .name }}/main.ts
{{- end }}

{{- define "lending.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag }}{{ end }}
{{- end -}}
{{- end }}

{{- define "lending.selector" -}}
app.kubernetes.io/name: lending
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end }}

{{- define "lending.labels" -}}
{{ include "lending.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{- define "lending.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "lending.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* The Secrets of a pod. A key of its own Secret replaces the same key of the common one. */}}
{{- define "lending.secrets" -}}
{{- $keys := .common.keys }}
{{- range .own.keys }}{{ $keys = without $keys . }}{{ end }}
{{- $secrets := list (dict "name" .common.name "keys" $keys) }}
{{- if .own.name }}{{ $secrets = append $secrets .own }}{{ end }}
{{- toYaml $secrets }}
{{- end }}

{{/* Settings as variables. A secret is a file, so that it can be replaced without a restart. */}}
{{- define "lending.environment" -}}
{{- range $name, $value := .settings }}
- { name: {{ $name }}, value: {{ $value | toString | quote }} }
{{- end }}
{{- range $secret := .secrets }}
{{- range $key := $secret.keys }}
- { name: {{ $key }}_FILE, value: /run/secrets/{{ $secret.name }}/{{ $key }} }
{{- end }}
{{- end }}
{{- range $name, $key := .root.Values.certificates.files }}
- { name: {{ $name }}, value: /run/certificates/{{ $key }} }
{{- end }}
{{- end }}

{{- define "lending.mounts" -}}
- { name: tmp, mountPath: /tmp }
{{- range .secrets }}
- { name: {{ .name }}, mountPath: /run/secrets/{{ .name }}, readOnly: true }
{{- end }}
{{- if .root.Values.certificates.secretName }}
- { name: certificates, mountPath: /run/certificates, readOnly: true }
{{- end }}
{{- end }}

{{/* A pod that runs a command of an operator once, with the login of the owner of the tables. */}}
{{- define "lending.commandPod" -}}
{{- $secrets := include "lending.secrets" (dict "common" .root.Values.secret "own" .root.Values.ownerSecret) | fromYamlArray }}
{{- $container := dict "root" .root "settings" .settings "secrets" $secrets "tmp" .tmp -}}
metadata:
  labels: {{- include "lending.labels" . | nindent 4 }}
spec:
  restartPolicy: Never
  automountServiceAccountToken: false
  enableServiceLinks: false
  securityContext: {{- include "lending.podSecurity" . | nindent 4 }}
  imagePullSecrets: {{- toYaml .root.Values.image.pullSecrets | nindent 4 }}
  nodeSelector: {{- toYaml .root.Values.nodeSelector | nindent 4 }}
  tolerations: {{- toYaml .root.Values.tolerations | nindent 4 }}
  containers:
    - name: {{ .name }}
      image: {{ include "lending.image" .root }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      args:
        # Without it Node takes 2 GiB, or 4 GiB, for objects at most, however high the limit is.
        - --max-old-space-size-percentage={{ .root.Values.heapPercentage }}
        - libs/cli/main.ts
        {{- range .arguments }}
        - {{ toString . | quote }}
        {{- end }}
      env: {{- include "lending.environment" $container | nindent 8 }}
      resources: {{- toYaml .resources | nindent 8 }}
      securityContext: {{- include "lending.containerSecurity" . | nindent 8 }}
      volumeMounts: {{- include "lending.mounts" $container | nindent 8 }}
  volumes: {{- include "lending.volumes" $container | nindent 4 }}
{{- end }}

{{- define "lending.volumes" -}}
- name: tmp
  {{- .tmp | default (dict "emptyDir" (dict "sizeLimit" "64Mi")) | toYaml | nindent 2 }}
{{- range .secrets }}
- name: {{ .name }}
  secret: { secretName: {{ .name }}, defaultMode: 288 }
{{- end }}
{{- with .root.Values.certificates.secretName }}
- name: certificates
  secret: { secretName: {{ . }}, defaultMode: 288 }
{{- end }}
{{- end }}
