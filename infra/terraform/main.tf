# A stage for those who deploy everything with Terraform: the packaged template stays what it is, a
# CloudFormation stack, and Terraform owns its parameters. First:
#
#   make package
#   aws cloudformation package --template-file .build/lambda/template.json \
#     --s3-bucket BUCKET --output-template-file .build/lambda/packaged.yaml
#   aws s3 cp .build/lambda/packaged.yaml s3://BUCKET/wordle-tournament-$(git rev-parse --short HEAD).yaml
#
# Each release gets a place of its own: Terraform sees a change by the URL alone.

terraform {
  required_version = ">= 1.5"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0"
    }
  }
}

variable "stage" {
  description = "Name of the stage, which the stack is called after."
  type        = string
}

variable "template_url" {
  description = "Where the packaged template lies, as https URL of S3."
  type        = string
}

variable "parameters" {
  description = "Parameters of the template that differ from their defaults."
  type        = map(string)
  default     = {}
}

resource "aws_cloudformation_stack" "stage" {
  name         = "wordle-tournament-${var.stage}"
  template_url = var.template_url
  parameters   = var.parameters
  capabilities = ["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"]

  # Calls that move in steps take their time.
  timeouts {
    create = "1h"
    update = "3h"
  }

  tags = {
    application = "wordle-tournament"
    stage       = var.stage
  }
}

output "url" {
  description = "Where clients connect."
  value       = aws_cloudformation_stack.stage.outputs["Url"]
}
